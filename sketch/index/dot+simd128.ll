; The sum of the products of every two integers of 16 bits, with SIMD: one instruction, i32x4.dot_i16x8_s.

define <4 x i32> @index.dot(<8 x i16> %a, <8 x i16> %b) #0 {
  %r = call <4 x i32> @llvm.wasm.dot(<8 x i16> %a, <8 x i16> %b)
  ret <4 x i32> %r
}

declare <4 x i32> @llvm.wasm.dot(<8 x i16>, <8 x i16>)

attributes #0 = { alwaysinline }
