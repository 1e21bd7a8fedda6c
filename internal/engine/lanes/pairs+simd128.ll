; The sum of the products of every two integers of 16 bits, with SIMD: one instruction, i32x4.dot_i16x8_s.

define <4 x i32> @"tensorsketch.example/internal/engine/lanes.products"(<4 x i32> %a, <4 x i32> %b, ptr) #0 {
  %x = bitcast <4 x i32> %a to <8 x i16>
  %y = bitcast <4 x i32> %b to <8 x i16>
  %r = call <4 x i32> @llvm.wasm.dot(<8 x i16> %x, <8 x i16> %y)
  ret <4 x i32> %r
}

declare <4 x i32> @llvm.wasm.dot(<8 x i16>, <8 x i16>)

attributes #0 = { alwaysinline }
