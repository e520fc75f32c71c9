#include "include/CLinux.h"

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>

static int has_instructions(void) {
  unsigned a, b, c, d;
  return __get_cpuid(1, &a, &b, &c, &d) && (c & bit_SSE4_1) && (c & bit_PCLMUL);
}

// Gopal et al., "Fast CRC Computation for Generic Polynomials Using PCLMULQDQ Instruction", Intel, 2009: each block of
// sixteen bytes is folded into the next by multiplying with powers of x modulo the polynomial (bit-reflected); the
// remainder is computed by Barrett reduction. `count` is a multiple of 16 and at least 64.
__attribute__((target("sse4.1,pclmul"))) static uint32_t fold(uint32_t crc, const uint8_t *data, size_t count) {
  const __m128i by_64 = _mm_set_epi64x(0x01c6e41596, 0x0154442bd4), by_16 = _mm_set_epi64x(0x00ccaa009e, 0x01751997d0);
  const __m128i reduce = _mm_set_epi64x(0x01f7011641, 0x01db710641), low = _mm_setr_epi32(~0, 0, ~0, 0);
  __m128i lanes[4];
  for (int i = 0; i < 4; i++) lanes[i] = _mm_loadu_si128((const __m128i *)(data + 16 * i));
  lanes[0] = _mm_xor_si128(lanes[0], _mm_cvtsi32_si128((int)crc));
  for (data += 64, count -= 64; count >= 64; data += 64, count -= 64)
    for (int i = 0; i < 4; i++) {
      const __m128i next = _mm_loadu_si128((const __m128i *)(data + 16 * i));
      const __m128i folded = _mm_xor_si128(
          _mm_clmulepi64_si128(lanes[i], by_64, 0x00), _mm_clmulepi64_si128(lanes[i], by_64, 0x11));
      lanes[i] = _mm_xor_si128(folded, next);
    }
  __m128i rest = lanes[0];
  for (int i = 1; i < 4; i++)
    rest = _mm_xor_si128(
        _mm_xor_si128(_mm_clmulepi64_si128(rest, by_16, 0x00), _mm_clmulepi64_si128(rest, by_16, 0x11)), lanes[i]);
  for (; count >= 16; data += 16, count -= 16)
    rest = _mm_xor_si128(
        _mm_xor_si128(_mm_clmulepi64_si128(rest, by_16, 0x00), _mm_clmulepi64_si128(rest, by_16, 0x11)),
        _mm_loadu_si128((const __m128i *)data));
  // Reduce 128 bits to 64, then to 32.
  rest = _mm_xor_si128(_mm_srli_si128(rest, 8), _mm_clmulepi64_si128(rest, by_16, 0x10));
  rest = _mm_xor_si128(
      _mm_srli_si128(rest, 4), _mm_clmulepi64_si128(_mm_and_si128(rest, low), _mm_set_epi64x(0, 0x0163cd6124), 0x00));
  __m128i quotient = _mm_and_si128(_mm_clmulepi64_si128(_mm_and_si128(rest, low), reduce, 0x10), low);
  rest = _mm_xor_si128(rest, _mm_clmulepi64_si128(quotient, reduce, 0x00));
  return (uint32_t)_mm_extract_epi32(rest, 1);
}

size_t poolflow_crc32_instructions(uint32_t *crc, const uint8_t *data, size_t count) {
  static int known = -1;
  int has = __atomic_load_n(&known, __ATOMIC_RELAXED);
  if (has < 0) {
    has = has_instructions();
    __atomic_store_n(&known, has, __ATOMIC_RELAXED);
  }
  count &= ~(size_t)15;
  if (!has || count < 64) return 0;
  *crc = ~fold(~*crc, data, count);
  return count;
}
#else
size_t poolflow_crc32_instructions(uint32_t *crc, const uint8_t *data, size_t count) {
  (void)crc, (void)data, (void)count;
  return 0;
}
#endif
