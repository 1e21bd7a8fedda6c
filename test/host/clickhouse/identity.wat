;; A function of ClickHouse's convention BUFFERED_V1 that returns its input: what a call costs without work. Buffers are
;; freed from the last to the first, as ClickHouse does with the two of a call.
(module
  (memory (export "memory") 1)
  (global $end (mut i32) (i32.const 16))
  (func $create (export "clickhouse_create_buffer") (param $bytes i32) (result i32)
    (local $handle i32)
    (local.set $handle (global.get $end))
    (global.set $end
      (i32.and (i32.add (i32.add (local.get $handle) (local.get $bytes)) (i32.const 23)) (i32.const -8)))
    (if (i32.gt_u (global.get $end) (i32.mul (memory.size) (i32.const 65536)))
      (then (drop (memory.grow (i32.sub
        (i32.add (i32.shr_u (global.get $end) (i32.const 16)) (i32.const 1)) (memory.size))))))
    (i32.store (local.get $handle) (i32.add (local.get $handle) (i32.const 8)))
    (i32.store offset=4 (local.get $handle) (local.get $bytes))
    (local.get $handle))
  (func (export "clickhouse_destroy_buffer") (param $handle i32)
    (if (i32.lt_u (local.get $handle) (global.get $end))
      (then (global.set $end (local.get $handle)))))
  (func (export "unchanged") (param $handle i32) (param $rows i32) (result i32)
    (local $copy i32)
    (local.set $copy (call $create (i32.load offset=4 (local.get $handle))))
    (memory.copy (i32.load (local.get $copy)) (i32.load (local.get $handle)) (i32.load offset=4 (local.get $handle)))
    (local.get $copy)))
