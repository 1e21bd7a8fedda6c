; What the build for other hosts than JavaScript has in place of imports (build.sh): TinyGo's runtime and package
; syscall/js name them. There is no output and no clock, and no value of JavaScript, which only an error of package
; syscall/js would have.

; arc4random seeds TinyGo's runtime, which draws from it where maps begin to iterate, and nothing else.
define i32 @arc4random() {
  ret i32 1
}

define i32 @runtime.fd_write(i32, ptr, i32, ptr) {
  ret i32 8 ; no such file
}

define i64 @runtime.ticks() {
  ret i64 0
}

define i64 @"syscall/js.valueGet"(i64, ptr, i32) {
  ret i64 0
}

define { i64, i32 } @"syscall/js.valuePrepareString"(i64) {
  ret { i64, i32 } zeroinitializer
}

define void @"syscall/js.valueLoadString"(i64, ptr, i32, i32) {
  ret void
}

define void @"syscall/js.finalizeRef"(i64) {
  ret void
}
