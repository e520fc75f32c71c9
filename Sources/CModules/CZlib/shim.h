#include <zlib.h>

// inflateInit2 and deflateInit2 are macros that pass the version of the header, so Swift cannot import them.
static inline int poolflow_inflate_init_raw(z_stream *stream) { return inflateInit2(stream, -MAX_WBITS); }
static inline int poolflow_deflate_init_raw(z_stream *stream, int level) {
  return deflateInit2(stream, level, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
}
