; The bodies of the functions of vec_llvm.go, one instruction each. The type [4 x float] of TinyGo is <4 x float> here:
; build.sh writes it so in TinyGo's output, too, and links both. The last parameter of a function is TinyGo's.

define <4 x float> @"tensorsketch.example/internal/engine/lanes.splat"(float %x, ptr) #0 {
  %v = insertelement <4 x float> poison, float %x, i32 0
  %all = shufflevector <4 x float> %v, <4 x float> poison, <4 x i32> zeroinitializer
  ret <4 x float> %all
}

define <4 x float> @"tensorsketch.example/internal/engine/lanes.get"(ptr %p, i32 %offset, ptr) #0 {
  %at = getelementptr i8, ptr %p, i32 %offset
  %v = load <4 x float>, ptr %at, align 4
  ret <4 x float> %v
}

define void @"tensorsketch.example/internal/engine/lanes.put"(ptr %p, i32 %offset, <4 x float> %v, ptr) #0 {
  %at = getelementptr i8, ptr %p, i32 %offset
  store <4 x float> %v, ptr %at, align 4
  ret void
}

define <4 x float> @"(tensorsketch.example/internal/engine/lanes.vec).Add"(<4 x float> %v, <4 x float> %w, ptr) #0 {
  %r = fadd <4 x float> %v, %w
  ret <4 x float> %r
}

define <4 x float> @"(tensorsketch.example/internal/engine/lanes.vec).Sub"(<4 x float> %v, <4 x float> %w, ptr) #0 {
  %r = fsub <4 x float> %v, %w
  ret <4 x float> %r
}

define <4 x float> @"(tensorsketch.example/internal/engine/lanes.vec).Mul"(<4 x float> %v, <4 x float> %w, ptr) #0 {
  %r = fmul <4 x float> %v, %w
  ret <4 x float> %r
}

define <4 x float> @"(tensorsketch.example/internal/engine/lanes.vec).Round"(<4 x float> %v, ptr) #0 {
  %r = call <4 x float> @llvm.nearbyint.v4f32(<4 x float> %v)
  ret <4 x float> %r
}

declare <4 x float> @llvm.nearbyint.v4f32(<4 x float>)

define <4 x float> @"tensorsketch.example/internal/engine/lanes.evens"(<4 x float> %v, <4 x float> %w, ptr) #0 {
  %r = shufflevector <4 x float> %v, <4 x float> %w, <4 x i32> <i32 0, i32 2, i32 4, i32 6>
  ret <4 x float> %r
}

define <4 x float> @"tensorsketch.example/internal/engine/lanes.odds"(<4 x float> %v, <4 x float> %w, ptr) #0 {
  %r = shufflevector <4 x float> %v, <4 x float> %w, <4 x i32> <i32 1, i32 3, i32 5, i32 7>
  ret <4 x float> %r
}

define <4 x float> @"tensorsketch.example/internal/engine/lanes.zipLow"(<4 x float> %v, <4 x float> %w, ptr) #0 {
  %r = shufflevector <4 x float> %v, <4 x float> %w, <4 x i32> <i32 0, i32 4, i32 1, i32 5>
  ret <4 x float> %r
}

define <4 x float> @"tensorsketch.example/internal/engine/lanes.zipHigh"(<4 x float> %v, <4 x float> %w, ptr) #0 {
  %r = shufflevector <4 x float> %v, <4 x float> %w, <4 x i32> <i32 2, i32 6, i32 3, i32 7>
  ret <4 x float> %r
}

define <4 x float> @"tensorsketch.example/internal/engine/lanes.lows"(<4 x float> %v, <4 x float> %w, ptr) #0 {
  %r = shufflevector <4 x float> %v, <4 x float> %w, <4 x i32> <i32 0, i32 1, i32 4, i32 5>
  ret <4 x float> %r
}

define <4 x float> @"tensorsketch.example/internal/engine/lanes.highs"(<4 x float> %v, <4 x float> %w, ptr) #0 {
  %r = shufflevector <4 x float> %v, <4 x float> %w, <4 x i32> <i32 2, i32 3, i32 6, i32 7>
  ret <4 x float> %r
}

define <4 x float> @"tensorsketch.example/internal/engine/lanes.reversed"(<4 x float> %v, <4 x float> %w, ptr) #0 {
  %r = shufflevector <4 x float> %v, <4 x float> %w, <4 x i32> <i32 4, i32 3, i32 2, i32 1>
  ret <4 x float> %r
}

define <4 x i32> @"tensorsketch.example/internal/engine/lanes.splatBits"(i32 %x, ptr) #0 {
  %v = insertelement <4 x i32> poison, i32 %x, i32 0
  %all = shufflevector <4 x i32> %v, <4 x i32> poison, <4 x i32> zeroinitializer
  ret <4 x i32> %all
}

define <4 x i32> @"tensorsketch.example/internal/engine/lanes.getWord"(ptr %p, i32 %offset, ptr) #0 {
  %at = getelementptr i8, ptr %p, i32 %offset
  %v = load <4 x i32>, ptr %at, align 4
  ret <4 x i32> %v
}

define void @"tensorsketch.example/internal/engine/lanes.putWord"(ptr %p, i32 %offset, <4 x i32> %v, ptr) #0 {
  %at = getelementptr i8, ptr %p, i32 %offset
  store <4 x i32> %v, ptr %at, align 4
  ret void
}

define <4 x i32> @"(tensorsketch.example/internal/engine/lanes.vec).ToBits"(<4 x float> %v, ptr) #0 {
  %r = bitcast <4 x float> %v to <4 x i32>
  ret <4 x i32> %r
}

define <4 x i32> @"(tensorsketch.example/internal/engine/lanes.word).Add"(<4 x i32> %v, <4 x i32> %w, ptr) #0 {
  %r = add <4 x i32> %v, %w
  ret <4 x i32> %r
}

define <4 x i32> @"(tensorsketch.example/internal/engine/lanes.word).Max"(<4 x i32> %v, <4 x i32> %w, ptr) #0 {
  %r = call <4 x i32> @llvm.umax.v4i32(<4 x i32> %v, <4 x i32> %w)
  ret <4 x i32> %r
}

declare <4 x i32> @llvm.umax.v4i32(<4 x i32>, <4 x i32>)

define void @"tensorsketch.example/internal/engine/lanes.carry"(ptr %p, i32 %offset, <4 x i32> %w, ptr) #0 {
  %at = getelementptr i8, ptr %p, i32 %offset
  %sums = load <4 x i64>, ptr %at, align 8
  %wide = sext <4 x i32> %w to <4 x i64>
  %r = add <4 x i64> %sums, %wide
  store <4 x i64> %r, ptr %at, align 8
  ret void
}

define <4 x i32> @"(tensorsketch.example/internal/engine/lanes.word).And"(<4 x i32> %v, <4 x i32> %w, ptr) #0 {
  %r = and <4 x i32> %v, %w
  ret <4 x i32> %r
}

define <4 x i32> @"(tensorsketch.example/internal/engine/lanes.word).Mul"(<4 x i32> %v, <4 x i32> %w, ptr) #0 {
  %r = mul <4 x i32> %v, %w
  ret <4 x i32> %r
}

define <4 x i32> @"(tensorsketch.example/internal/engine/lanes.word).Xor"(<4 x i32> %v, <4 x i32> %w, ptr) #0 {
  %r = xor <4 x i32> %v, %w
  ret <4 x i32> %r
}

define <4 x float> @"(tensorsketch.example/internal/engine/lanes.word).BitsToFloat32"(<4 x i32> %v, ptr) #0 {
  %r = bitcast <4 x i32> %v to <4 x float>
  ret <4 x float> %r
}

define <2 x double> @"tensorsketch.example/internal/engine/lanes.broadcast"(double %x, ptr) #0 {
  %v = insertelement <2 x double> poison, double %x, i32 0
  %all = shufflevector <2 x double> %v, <2 x double> poison, <2 x i32> zeroinitializer
  ret <2 x double> %all
}

define <2 x double> @"tensorsketch.example/internal/engine/lanes.getDoubles"(ptr %p, i32 %offset, ptr) #0 {
  %at = getelementptr i8, ptr %p, i32 %offset
  %v = load <2 x double>, ptr %at, align 8
  ret <2 x double> %v
}

define <2 x double> @"tensorsketch.example/internal/engine/lanes.getWide"(ptr %p, i32 %offset, ptr) #0 {
  %at = getelementptr i8, ptr %p, i32 %offset
  %v = load <2 x float>, ptr %at, align 4
  %w = fpext <2 x float> %v to <2 x double>
  ret <2 x double> %w
}

define void @"tensorsketch.example/internal/engine/lanes.putDoubles"(ptr %p, i32 %offset, <2 x double> %v, ptr) #0 {
  %at = getelementptr i8, ptr %p, i32 %offset
  store <2 x double> %v, ptr %at, align 8
  ret void
}

define <2 x double> @"(tensorsketch.example/internal/engine/lanes.doubles).Add"(<2 x double> %v, <2 x double> %w, ptr) #0 {
  %r = fadd <2 x double> %v, %w
  ret <2 x double> %r
}

define <2 x double> @"(tensorsketch.example/internal/engine/lanes.doubles).Sub"(<2 x double> %v, <2 x double> %w, ptr) #0 {
  %r = fsub <2 x double> %v, %w
  ret <2 x double> %r
}

define <2 x double> @"(tensorsketch.example/internal/engine/lanes.doubles).Mul"(<2 x double> %v, <2 x double> %w, ptr) #0 {
  %r = fmul <2 x double> %v, %w
  ret <2 x double> %r
}

attributes #0 = { alwaysinline }
