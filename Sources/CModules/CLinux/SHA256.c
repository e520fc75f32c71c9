#include "include/CLinux.h"

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>

static int has_instructions(void) {
  unsigned a, b, c, d;
  // Leaf 1: SSSE3 and SSE4.1; leaf 7: SHA.
  if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_SSSE3) || !(c & bit_SSE4_1)) return 0;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & (1u << 29));
}

// Intel, "Intel SHA Extensions", 2013: the state is kept as ABEF and CDGH; two instructions compute four rounds.
__attribute__((target("sha,sse4.1"))) static void compress(
    uint32_t *state, const uint32_t *constants, const uint8_t *data, size_t blocks) {
  const __m128i order = _mm_set_epi64x(0x0c0d0e0f08090a0bLL, 0x0405060700010203LL);
  __m128i low = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)state), 0xB1);
  __m128i cdgh = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)(state + 4)), 0x1B);
  __m128i abef = _mm_alignr_epi8(low, cdgh, 8);
  cdgh = _mm_blend_epi16(cdgh, low, 0xF0);
  for (; blocks > 0; blocks--, data += 64) {
    const __m128i abef_before = abef, cdgh_before = cdgh;
    __m128i words[4];
    for (int i = 0; i < 4; i++)
      words[i] = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(data + 16 * i)), order);
#pragma clang loop unroll(full)
    for (int i = 0; i < 16; i++) {
      const __m128i round = _mm_add_epi32(words[i & 3], _mm_loadu_si128((const __m128i *)(constants + 4 * i)));
      cdgh = _mm_sha256rnds2_epu32(cdgh, abef, round);
      abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(round, 0x0E));
      if (i < 12) {
        const __m128i next = _mm_add_epi32(
            _mm_sha256msg1_epu32(words[i & 3], words[(i + 1) & 3]),
            _mm_alignr_epi8(words[(i + 3) & 3], words[(i + 2) & 3], 4));
        words[i & 3] = _mm_sha256msg2_epu32(next, words[(i + 3) & 3]);
      }
    }
    abef = _mm_add_epi32(abef, abef_before);
    cdgh = _mm_add_epi32(cdgh, cdgh_before);
  }
  low = _mm_shuffle_epi32(abef, 0x1B);
  cdgh = _mm_shuffle_epi32(cdgh, 0xB1);
  _mm_storeu_si128((__m128i *)state, _mm_blend_epi16(low, cdgh, 0xF0));
  _mm_storeu_si128((__m128i *)(state + 4), _mm_alignr_epi8(cdgh, low, 8));
}

int poolflow_sha256_instructions(uint32_t *state, const uint32_t *constants, const uint8_t *data, size_t blocks) {
  static int known = -1;
  int has = __atomic_load_n(&known, __ATOMIC_RELAXED);
  if (has < 0) {
    has = has_instructions();
    __atomic_store_n(&known, has, __ATOMIC_RELAXED);
  }
  if (has) compress(state, constants, data, blocks);
  return has;
}
#else
int poolflow_sha256_instructions(uint32_t *state, const uint32_t *constants, const uint8_t *data, size_t blocks) {
  (void)state, (void)constants, (void)data, (void)blocks;
  return 0;
}
#endif
