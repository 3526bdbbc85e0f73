;; Dot products of int8 codes. A row is `stride` bytes, a multiple of 16, padded with zeros.
;; Codes lie in -127..127, so the sum of two products fits 16 bits.
(module
  (memory (export "memory") 1)

  (func $dot (param $row i32) (param $query i32) (param $stride i32) (result i32)
    (local $end i32) (local $sum v128) (local $a v128) (local $b v128)
    (local.set $end (i32.add (local.get $row) (local.get $stride)))
    (loop $next
      (local.set $a (v128.load (local.get $row)))
      (local.set $b (v128.load (local.get $query)))
      (local.set $sum
        (i32x4.add (local.get $sum)
          (i32x4.extadd_pairwise_i16x8_s
            (i16x8.add
              (i16x8.extmul_low_i8x16_s (local.get $a) (local.get $b))
              (i16x8.extmul_high_i8x16_s (local.get $a) (local.get $b))))))
      (local.set $query (i32.add (local.get $query) (i32.const 16)))
      (local.set $row (i32.add (local.get $row) (i32.const 16)))
      (br_if $next (i32.lt_u (local.get $row) (local.get $end))))
    (i32.add
      (i32.add (i32x4.extract_lane 0 (local.get $sum)) (i32x4.extract_lane 1 (local.get $sum)))
      (i32.add (i32x4.extract_lane 2 (local.get $sum)) (i32x4.extract_lane 3 (local.get $sum)))))

  ;; out[i] = dot(row i, query) * scale[i] for every row from `codes` on
  (func (export "scan")
    (param $codes i32) (param $scales i32) (param $count i32)
    (param $query i32) (param $stride i32) (param $out i32)
    (local $end i32)
    (local.set $end (i32.add (local.get $out) (i32.shl (local.get $count) (i32.const 2))))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $out) (local.get $end)))
        (f32.store (local.get $out)
          (f32.mul
            (f32.convert_i32_s
              (call $dot (local.get $codes) (local.get $query) (local.get $stride)))
            (f32.load (local.get $scales))))
        (local.set $codes (i32.add (local.get $codes) (local.get $stride)))
        (local.set $scales (i32.add (local.get $scales) (i32.const 4)))
        (local.set $out (i32.add (local.get $out) (i32.const 4)))
        (br $next)))))
