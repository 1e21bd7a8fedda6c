; The sum of the products of every two integers of 16 bits, without SIMD.

define <4 x i32> @"tensorsketch.example/internal/engine/lanes.products"(<4 x i32> %a, <4 x i32> %b, ptr) #0 {
  %a0 = shl <4 x i32> %a, splat (i32 16)
  %b0 = shl <4 x i32> %b, splat (i32 16)
  %a1 = ashr <4 x i32> %a0, splat (i32 16)
  %b1 = ashr <4 x i32> %b0, splat (i32 16)
  %a2 = ashr <4 x i32> %a, splat (i32 16)
  %b2 = ashr <4 x i32> %b, splat (i32 16)
  %low = mul <4 x i32> %a1, %b1
  %high = mul <4 x i32> %a2, %b2
  %r = add <4 x i32> %low, %high
  ret <4 x i32> %r
}

attributes #0 = { alwaysinline }
