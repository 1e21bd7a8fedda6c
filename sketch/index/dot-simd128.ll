; The sum of the products of every two integers of 16 bits, without SIMD.

define <4 x i32> @index.dot(<8 x i16> %a, <8 x i16> %b) #0 {
  %x = sext <8 x i16> %a to <8 x i32>
  %y = sext <8 x i16> %b to <8 x i32>
  %p = mul <8 x i32> %x, %y
  %evens = shufflevector <8 x i32> %p, <8 x i32> poison, <4 x i32> <i32 0, i32 2, i32 4, i32 6>
  %odds = shufflevector <8 x i32> %p, <8 x i32> poison, <4 x i32> <i32 1, i32 3, i32 5, i32 7>
  %r = add <4 x i32> %evens, %odds
  ret <4 x i32> %r
}

attributes #0 = { alwaysinline }
