#ifndef POOLFLOW_CSQLITE_SHIM_H
#define POOLFLOW_CSQLITE_SHIM_H

#include <sqlite3.h>

// sqlite3_db_config is variadic, which Swift does not import.
static inline int poolflow_sqlite3_db_config_flag(sqlite3 *db, int option, int on) {
  int now = 0;
  return sqlite3_db_config(db, option, on, &now);
}

// sqlite3_config is variadic, too. Without a count of its memory SQLite locks no mutex at each allocation. Has an effect
// before the first connection only; later it refuses and changes nothing.
static inline int poolflow_sqlite3_count_no_memory(void) {
  return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

#endif
