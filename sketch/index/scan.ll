; The bodies of the functions of scan_llvm.go, which are those of scan_go.go in vectors. Four rows are looked at together,
; so that the query is loaded once for all of them. A slice is a pointer, a length and a capacity; the last parameter
; is TinyGo's. Loops are functions of their own, because engines keep more of a small function in registers.
; dot+simd128.ll and dot-simd128.ll have the sums of products, with SIMD and without.

declare <4 x i32> @index.dot(<8 x i16>, <8 x i16>)
declare i64 @llvm.vector.reduce.add.v4i64(<4 x i64>)

; Adds four sums of 32 bits to one of 64.
define internal void @index.total(ptr %sum, <4 x i32> %parts) #0 {
  %wide = sext <4 x i32> %parts to <4 x i64>
  %part = call i64 @llvm.vector.reduce.add.v4i64(<4 x i64> %wide)
  %old = load i64, ptr %sum, align 8
  %new = add i64 %old, %part
  store i64 %new, ptr %sum, align 8
  ret void
}

; The masks are loaded as variables: engines make constants anew in every round of a loop.
@index.masks = internal constant [3 x <8 x i16>] [<8 x i16> splat (i16 15), <8 x i16> splat (i16 240), <8 x i16> splat (i16 3840)]

; Adds the products of 32 codes of 4 bits with the query. The integers of the query are shifted, so that each mask
; leaves a code where its product is 2^8 times as large.
define internal <4 x i32> @index.group4(<4 x i32> %sum, ptr %codes, <8 x i16> %m0, <8 x i16> %m1, <8 x i16> %m2, <8 x i16> %q0, <8 x i16> %q1, <8 x i16> %q2, <8 x i16> %q3) #0 {
  %w = load <8 x i16>, ptr %codes, align 1
  %c0 = and <8 x i16> %w, %m0
  %c1 = and <8 x i16> %w, %m1
  %c2 = and <8 x i16> %w, %m2
  %c3 = lshr <8 x i16> %w, splat (i16 12)
  %p0 = call <4 x i32> @index.dot(<8 x i16> %c0, <8 x i16> %q0)
  %p1 = call <4 x i32> @index.dot(<8 x i16> %c1, <8 x i16> %q1)
  %p2 = call <4 x i32> @index.dot(<8 x i16> %c2, <8 x i16> %q2)
  %p3 = call <4 x i32> @index.dot(<8 x i16> %c3, <8 x i16> %q3)
  %s0 = add <4 x i32> %sum, %p0
  %s1 = add <4 x i32> %s0, %p1
  %s2 = add <4 x i32> %s1, %p2
  %s3 = add <4 x i32> %s2, %p3
  ret <4 x i32> %s3
}

; Adds the products of 32 codes of 8 bits with the query.
define internal <4 x i32> @index.group8(<4 x i32> %sum, ptr %codes, <8 x i16> %q0, <8 x i16> %q1, <8 x i16> %q2, <8 x i16> %q3) #0 {
  %w = load <16 x i8>, ptr %codes, align 1
  %second = getelementptr i8, ptr %codes, i32 16
  %x = load <16 x i8>, ptr %second, align 1
  %w0 = shufflevector <16 x i8> %w, <16 x i8> poison, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %w1 = shufflevector <16 x i8> %w, <16 x i8> poison, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %x0 = shufflevector <16 x i8> %x, <16 x i8> poison, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %x1 = shufflevector <16 x i8> %x, <16 x i8> poison, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %c0 = sext <8 x i8> %w0 to <8 x i16>
  %c1 = sext <8 x i8> %w1 to <8 x i16>
  %c2 = sext <8 x i8> %x0 to <8 x i16>
  %c3 = sext <8 x i8> %x1 to <8 x i16>
  %p0 = call <4 x i32> @index.dot(<8 x i16> %c0, <8 x i16> %q0)
  %p1 = call <4 x i32> @index.dot(<8 x i16> %c1, <8 x i16> %q1)
  %p2 = call <4 x i32> @index.dot(<8 x i16> %c2, <8 x i16> %q2)
  %p3 = call <4 x i32> @index.dot(<8 x i16> %c3, <8 x i16> %q3)
  %s0 = add <4 x i32> %sum, %p0
  %s1 = add <4 x i32> %s0, %p1
  %s2 = add <4 x i32> %s1, %p2
  %s3 = add <4 x i32> %s2, %p3
  ret <4 x i32> %s3
}

define void @"tensorsketch.example/sketch/index.scan4"(ptr %sums, i32 %rows, i32, ptr %codes, i32, i32, ptr %query, i32 %width, i32, i32 %stride, ptr) #1 {
entry:
  %m0 = load volatile <8 x i16>, ptr @index.masks, align 16
  %m1 = load volatile <8 x i16>, ptr getelementptr (i8, ptr @index.masks, i32 16), align 16
  %m2 = load volatile <8 x i16>, ptr getelementptr (i8, ptr @index.masks, i32 32), align 16
  br label %four
four:
  %row = phi i32 [0, %entry], [%nextrow, %rowsdone]
  %more = icmp slt i32 %row, %rows
  br i1 %more, label %begin, label %done
begin:
  %at0 = mul i32 %row, %stride
  %codes0 = getelementptr i8, ptr %codes, i32 %at0
  %row1 = add i32 %row, 1
  %at1 = mul i32 %row1, %stride
  %codes1 = getelementptr i8, ptr %codes, i32 %at1
  %row2 = add i32 %row, 2
  %at2 = mul i32 %row2, %stride
  %codes2 = getelementptr i8, ptr %codes, i32 %at2
  %row3 = add i32 %row, 3
  %at3 = mul i32 %row3, %stride
  %codes3 = getelementptr i8, ptr %codes, i32 %at3
  br label %group
group:
  %g = phi i32 [0, %begin], [%nextg, %group]
  %a0 = phi <4 x i32> [zeroinitializer, %begin], [%b0, %group]
  %a1 = phi <4 x i32> [zeroinitializer, %begin], [%b1, %group]
  %a2 = phi <4 x i32> [zeroinitializer, %begin], [%b2, %group]
  %a3 = phi <4 x i32> [zeroinitializer, %begin], [%b3, %group]
  %from = mul i32 %g, 2
  %fromq0 = add i32 %from, 0
  %pq0 = getelementptr i8, ptr %query, i32 %fromq0
  %q0 = load <8 x i16>, ptr %pq0, align 2
  %fromq1 = add i32 %from, 16
  %pq1 = getelementptr i8, ptr %query, i32 %fromq1
  %q1 = load <8 x i16>, ptr %pq1, align 2
  %fromq2 = add i32 %from, 32
  %pq2 = getelementptr i8, ptr %query, i32 %fromq2
  %q2 = load <8 x i16>, ptr %pq2, align 2
  %fromq3 = add i32 %from, 48
  %pq3 = getelementptr i8, ptr %query, i32 %fromq3
  %q3 = load <8 x i16>, ptr %pq3, align 2
  %fromc = lshr i32 %g, 1
  %pc0 = getelementptr i8, ptr %codes0, i32 %fromc
  %b0 = call <4 x i32> @index.group4(<4 x i32> %a0, ptr %pc0, <8 x i16> %m0, <8 x i16> %m1, <8 x i16> %m2, <8 x i16> %q0, <8 x i16> %q1, <8 x i16> %q2, <8 x i16> %q3)
  %pc1 = getelementptr i8, ptr %codes1, i32 %fromc
  %b1 = call <4 x i32> @index.group4(<4 x i32> %a1, ptr %pc1, <8 x i16> %m0, <8 x i16> %m1, <8 x i16> %m2, <8 x i16> %q0, <8 x i16> %q1, <8 x i16> %q2, <8 x i16> %q3)
  %pc2 = getelementptr i8, ptr %codes2, i32 %fromc
  %b2 = call <4 x i32> @index.group4(<4 x i32> %a2, ptr %pc2, <8 x i16> %m0, <8 x i16> %m1, <8 x i16> %m2, <8 x i16> %q0, <8 x i16> %q1, <8 x i16> %q2, <8 x i16> %q3)
  %pc3 = getelementptr i8, ptr %codes3, i32 %fromc
  %b3 = call <4 x i32> @index.group4(<4 x i32> %a3, ptr %pc3, <8 x i16> %m0, <8 x i16> %m1, <8 x i16> %m2, <8 x i16> %q0, <8 x i16> %q1, <8 x i16> %q2, <8 x i16> %q3)
  %nextg = add i32 %g, 32
  %moreg = icmp slt i32 %nextg, %width
  br i1 %moreg, label %group, label %rowsdone
rowsdone:
  %ps0 = getelementptr i64, ptr %sums, i32 %row
  call void @index.total(ptr %ps0, <4 x i32> %b0)
  %ps1 = getelementptr i64, ptr %sums, i32 %row1
  call void @index.total(ptr %ps1, <4 x i32> %b1)
  %ps2 = getelementptr i64, ptr %sums, i32 %row2
  call void @index.total(ptr %ps2, <4 x i32> %b2)
  %ps3 = getelementptr i64, ptr %sums, i32 %row3
  call void @index.total(ptr %ps3, <4 x i32> %b3)
  %nextrow = add i32 %row, 4
  br label %four
done:
  ret void
}

define void @"tensorsketch.example/sketch/index.scan8"(ptr %sums, i32 %rows, i32, ptr %codes, i32, i32, ptr %query, i32 %width, i32, i32 %stride, ptr) #1 {
entry:
  br label %four
four:
  %row = phi i32 [0, %entry], [%nextrow, %rowsdone]
  %more = icmp slt i32 %row, %rows
  br i1 %more, label %begin, label %done
begin:
  %at0 = mul i32 %row, %stride
  %codes0 = getelementptr i8, ptr %codes, i32 %at0
  %row1 = add i32 %row, 1
  %at1 = mul i32 %row1, %stride
  %codes1 = getelementptr i8, ptr %codes, i32 %at1
  %row2 = add i32 %row, 2
  %at2 = mul i32 %row2, %stride
  %codes2 = getelementptr i8, ptr %codes, i32 %at2
  %row3 = add i32 %row, 3
  %at3 = mul i32 %row3, %stride
  %codes3 = getelementptr i8, ptr %codes, i32 %at3
  br label %group
group:
  %g = phi i32 [0, %begin], [%nextg, %group]
  %a0 = phi <4 x i32> [zeroinitializer, %begin], [%b0, %group]
  %a1 = phi <4 x i32> [zeroinitializer, %begin], [%b1, %group]
  %a2 = phi <4 x i32> [zeroinitializer, %begin], [%b2, %group]
  %a3 = phi <4 x i32> [zeroinitializer, %begin], [%b3, %group]
  %from = mul i32 %g, 2
  %fromq0 = add i32 %from, 0
  %pq0 = getelementptr i8, ptr %query, i32 %fromq0
  %q0 = load <8 x i16>, ptr %pq0, align 2
  %fromq1 = add i32 %from, 16
  %pq1 = getelementptr i8, ptr %query, i32 %fromq1
  %q1 = load <8 x i16>, ptr %pq1, align 2
  %fromq2 = add i32 %from, 32
  %pq2 = getelementptr i8, ptr %query, i32 %fromq2
  %q2 = load <8 x i16>, ptr %pq2, align 2
  %fromq3 = add i32 %from, 48
  %pq3 = getelementptr i8, ptr %query, i32 %fromq3
  %q3 = load <8 x i16>, ptr %pq3, align 2
  %fromc = or i32 %g, 0
  %pc0 = getelementptr i8, ptr %codes0, i32 %fromc
  %b0 = call <4 x i32> @index.group8(<4 x i32> %a0, ptr %pc0, <8 x i16> %q0, <8 x i16> %q1, <8 x i16> %q2, <8 x i16> %q3)
  %pc1 = getelementptr i8, ptr %codes1, i32 %fromc
  %b1 = call <4 x i32> @index.group8(<4 x i32> %a1, ptr %pc1, <8 x i16> %q0, <8 x i16> %q1, <8 x i16> %q2, <8 x i16> %q3)
  %pc2 = getelementptr i8, ptr %codes2, i32 %fromc
  %b2 = call <4 x i32> @index.group8(<4 x i32> %a2, ptr %pc2, <8 x i16> %q0, <8 x i16> %q1, <8 x i16> %q2, <8 x i16> %q3)
  %pc3 = getelementptr i8, ptr %codes3, i32 %fromc
  %b3 = call <4 x i32> @index.group8(<4 x i32> %a3, ptr %pc3, <8 x i16> %q0, <8 x i16> %q1, <8 x i16> %q2, <8 x i16> %q3)
  %nextg = add i32 %g, 32
  %moreg = icmp slt i32 %nextg, %width
  br i1 %moreg, label %group, label %rowsdone
rowsdone:
  %ps0 = getelementptr i64, ptr %sums, i32 %row
  call void @index.total(ptr %ps0, <4 x i32> %b0)
  %ps1 = getelementptr i64, ptr %sums, i32 %row1
  call void @index.total(ptr %ps1, <4 x i32> %b1)
  %ps2 = getelementptr i64, ptr %sums, i32 %row2
  call void @index.total(ptr %ps2, <4 x i32> %b2)
  %ps3 = getelementptr i64, ptr %sums, i32 %row3
  call void @index.total(ptr %ps3, <4 x i32> %b3)
  %nextrow = add i32 %row, 4
  br label %four
done:
  ret void
}

; Sums of products, or of squared differences where %apart is set.
define internal void @index.sums(ptr %out, i32 %rows, ptr %all, ptr %q, i32 %width, i1 %apart) #0 {
entry:
  %whole = and i32 %width, -8
  %stride = mul i32 %width, 4
  br label %row
row:
  %i = phi i32 [0, %entry], [%nexti, %store]
  %more = icmp slt i32 %i, %rows
  br i1 %more, label %begin, label %done
begin:
  %at = mul i32 %i, %stride
  %x = getelementptr i8, ptr %all, i32 %at
  br label %eight
eight:
  %j = phi i32 [0, %begin], [%nextj, %add]
  %a = phi <8 x float> [zeroinitializer, %begin], [%b, %add]
  %morej = icmp slt i32 %j, %whole
  br i1 %morej, label %add, label %pairs
add:
  %px = getelementptr float, ptr %x, i32 %j
  %pq = getelementptr float, ptr %q, i32 %j
  %vx = load <8 x float>, ptr %px, align 4
  %vq = load <8 x float>, ptr %pq, align 4
  %vd = fsub <8 x float> %vx, %vq
  %vl = select i1 %apart, <8 x float> %vd, <8 x float> %vx
  %vr = select i1 %apart, <8 x float> %vd, <8 x float> %vq
  %p = fmul <8 x float> %vl, %vr
  %b = fadd <8 x float> %a, %p
  %nextj = add i32 %j, 8
  br label %eight
pairs:
  %low4 = shufflevector <8 x float> %a, <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %high4 = shufflevector <8 x float> %a, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %s4 = fadd <4 x float> %low4, %high4
  %high2 = shufflevector <4 x float> %s4, <4 x float> poison, <4 x i32> <i32 2, i32 3, i32 poison, i32 poison>
  %s2 = fadd <4 x float> %s4, %high2
  %e0 = extractelement <4 x float> %s2, i32 0
  %e1 = extractelement <4 x float> %s2, i32 1
  %s1 = fadd float %e0, %e1
  br label %one
one:
  %k = phi i32 [%whole, %pairs], [%nextk, %addone]
  %s = phi float [%s1, %pairs], [%t, %addone]
  %morek = icmp slt i32 %k, %width
  br i1 %morek, label %addone, label %store
addone:
  %pxk = getelementptr float, ptr %x, i32 %k
  %pqk = getelementptr float, ptr %q, i32 %k
  %xk = load float, ptr %pxk, align 4
  %qk = load float, ptr %pqk, align 4
  %dk = fsub float %xk, %qk
  %lk = select i1 %apart, float %dk, float %xk
  %rk = select i1 %apart, float %dk, float %qk
  %pk = fmul float %lk, %rk
  %t = fadd float %s, %pk
  %nextk = add i32 %k, 1
  br label %one
store:
  %to = getelementptr float, ptr %out, i32 %i
  store float %s, ptr %to, align 4
  %nexti = add i32 %i, 1
  br label %row
done:
  ret void
}

define void @"tensorsketch.example/sketch/index.dots"(ptr %out, i32 %rows, i32, ptr %all, i32, i32, ptr %q, i32 %width, i32, ptr) #1 {
  call void @index.sums(ptr %out, i32 %rows, ptr %all, ptr %q, i32 %width, i1 false)
  ret void
}

define void @"tensorsketch.example/sketch/index.distances"(ptr %out, i32 %rows, i32, ptr %all, i32, i32, ptr %q, i32 %width, i32, ptr) #1 {
  call void @index.sums(ptr %out, i32 %rows, ptr %all, ptr %q, i32 %width, i1 true)
  ret void
}
define void @"tensorsketch.example/sketch/index.butterflies"(ptr %a, i32 %n, i32, ptr %b, i32, i32, ptr) {
entry:
  br label %four
four:
  %i = phi i32 [0, %entry], [%next, %four]
  %pa = getelementptr float, ptr %a, i32 %i
  %pb = getelementptr float, ptr %b, i32 %i
  %x = load <4 x float>, ptr %pa, align 4
  %y = load <4 x float>, ptr %pb, align 4
  %s = fadd <4 x float> %x, %y
  %d = fsub <4 x float> %x, %y
  store <4 x float> %s, ptr %pa, align 4
  store <4 x float> %d, ptr %pb, align 4
  %next = add i32 %i, 4
  %more = icmp slt i32 %next, %n
  br i1 %more, label %four, label %done
done:
  ret void
}

attributes #0 = { alwaysinline }
attributes #1 = { noinline }
