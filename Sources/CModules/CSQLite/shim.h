#ifndef POOLFLOW_CSQLITE_SHIM_H
#define POOLFLOW_CSQLITE_SHIM_H

#include <sqlite3.h>

// sqlite3_db_config is variadic, so Swift cannot import it.
static inline int poolflow_sqlite3_db_config_flag(sqlite3 *db, int option, int on) {
  int now = 0;
  return sqlite3_db_config(db, option, on, &now);
}

// sqlite3_config is variadic, too. Turns off SQLite's memory statistics, so that it takes no mutex at each allocation.
// Effective only before the first connection; later calls fail and change nothing.
static inline int poolflow_sqlite3_count_no_memory(void) {
  return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

#endif
