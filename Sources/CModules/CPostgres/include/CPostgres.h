// libpq, PostgreSQL's client library: looked for only where somebody asks for it, so that no program is linked with it and
// none of its headers is needed to build. The few types and numbers used here are those of its protocol and of its stable
// interface (soname 5, version 14 or newer).
#ifndef POOLFLOW_CPOSTGRES_H
#define POOLFLOW_CPOSTGRES_H

#include <stddef.h>
#include <stdint.h>

typedef struct pg_conn poolflow_pq_connection;
typedef struct pg_result poolflow_pq_result;

// As PQstatus, PQtransactionStatus and PQresultStatus tell them.
enum {
  POOLFLOW_PQ_CONNECTION_OK = 0,
  POOLFLOW_PQ_IDLE = 0,
  POOLFLOW_PQ_COMMAND_OK = 1,
  POOLFLOW_PQ_TUPLES_OK = 2,
  POOLFLOW_PQ_COPY_IN = 4,
  POOLFLOW_PQ_PIPELINE_SYNC = 10,
  POOLFLOW_PQ_PIPELINE_ABORTED = 11,
};

// Fields of an error, by the letters of the protocol.
enum { POOLFLOW_PQ_SQLSTATE = 'C', POOLFLOW_PQ_MESSAGE = 'M', POOLFLOW_PQ_TABLE = 't', POOLFLOW_PQ_CONSTRAINT = 'n' };

// Opens the library where it is not open yet; it stays open for as long as the process lives. To be called before anything
// below, and never by two threads at once. Returns NULL, or in a few words why there is none: they live as long as the
// process does.
const char *poolflow_pq_open(void);

// What follows is libpq's function of the same name.
poolflow_pq_connection *poolflow_pq_connect(const char *const *keywords, const char *const *values);
// 0 where a server takes connections at all, whatever it says to this one.
int poolflow_pq_ping(const char *const *keywords, const char *const *values);
void poolflow_pq_finish(poolflow_pq_connection *connection);
int poolflow_pq_status(const poolflow_pq_connection *connection);
int poolflow_pq_transaction_status(const poolflow_pq_connection *connection);
const char *poolflow_pq_error(const poolflow_pq_connection *connection);
const char *poolflow_pq_database(const poolflow_pq_connection *connection);
const char *poolflow_pq_host(const poolflow_pq_connection *connection);
const char *poolflow_pq_port(const poolflow_pq_connection *connection);
const char *poolflow_pq_user(const poolflow_pq_connection *connection);
int poolflow_pq_server_version(const poolflow_pq_connection *connection);
int poolflow_pq_backend(const poolflow_pq_connection *connection);
int poolflow_pq_needed_password(const poolflow_pq_connection *connection);
int poolflow_pq_socket(const poolflow_pq_connection *connection);
// Why a connection string cannot be read, to be given back with `poolflow_pq_free`; NULL where it can.
char *poolflow_pq_fault_of(const char *conninfo);
void poolflow_pq_free(void *memory);

poolflow_pq_result *poolflow_pq_execute(poolflow_pq_connection *connection, const char *script);
poolflow_pq_result *poolflow_pq_prepare(
  poolflow_pq_connection *connection, const char *name, const char *sql, int count, const uint32_t *types);
// Parameters and results are binary.
poolflow_pq_result *poolflow_pq_run(
  poolflow_pq_connection *connection, const char *name, int count, const char *const *values, const int *lengths,
  const int *formats);

int poolflow_pq_result_status(const poolflow_pq_result *result);
const char *poolflow_pq_result_field(const poolflow_pq_result *result, int field);
int poolflow_pq_rows(const poolflow_pq_result *result);
int poolflow_pq_columns(const poolflow_pq_result *result);
const char *poolflow_pq_column_name(const poolflow_pq_result *result, int column);
uint32_t poolflow_pq_column_type(const poolflow_pq_result *result, int column);
const char *poolflow_pq_value(const poolflow_pq_result *result, int row, int column);
int poolflow_pq_length(const poolflow_pq_result *result, int row, int column);
int poolflow_pq_is_null(const poolflow_pq_result *result, int row, int column);
// How many rows a command changed, as text; empty for one that changes none.
const char *poolflow_pq_changed(poolflow_pq_result *result);
// What was done, such as `COMMIT`.
const char *poolflow_pq_command(poolflow_pq_result *result);
void poolflow_pq_clear(poolflow_pq_result *result);

int poolflow_pq_put_copy(poolflow_pq_connection *connection, const char *bytes, int count);
int poolflow_pq_end_copy(poolflow_pq_connection *connection, const char *error);
poolflow_pq_result *poolflow_pq_next_result(poolflow_pq_connection *connection);

// Reads what the server has sent without being asked, and forgets it (PQconsumeInput, PQnotifies). Hands the words of each call of
// NOTIFY over. Returns how many there were; -1 where the connection has broken.
int poolflow_pq_take_calls(
    poolflow_pq_connection *connection, void (*heard)(void *context, const char *words), void *context);

#endif
