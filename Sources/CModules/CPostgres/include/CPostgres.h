// libpq, PostgreSQL's client library, loaded with dlopen only when it is needed: programs are not linked with it, and
// its headers are not needed for building. The few types and constants here are those of its protocol and of its stable
// interface (soname 5, version 14 or newer).
#ifndef POOLFLOW_CPOSTGRES_H
#define POOLFLOW_CPOSTGRES_H

#include <stddef.h>
#include <stdint.h>

typedef struct pg_conn poolflow_pq_connection;
typedef struct pg_result poolflow_pq_result;

// Values returned by PQstatus, PQtransactionStatus and PQresultStatus.
enum {
  POOLFLOW_PQ_CONNECTION_OK = 0,
  POOLFLOW_PQ_IDLE = 0,
  POOLFLOW_PQ_COMMAND_OK = 1,
  POOLFLOW_PQ_TUPLES_OK = 2,
  POOLFLOW_PQ_COPY_IN = 4,
  POOLFLOW_PQ_PIPELINE_SYNC = 10,
  POOLFLOW_PQ_PIPELINE_ABORTED = 11,
};

// Fields of an error, by their codes in the protocol.
enum { POOLFLOW_PQ_SQLSTATE = 'C', POOLFLOW_PQ_MESSAGE = 'M', POOLFLOW_PQ_TABLE = 't', POOLFLOW_PQ_CONSTRAINT = 'n' };

// Loads the library if it is not loaded yet; it stays loaded until the process ends. Must be called before all
// functions below, and never from two threads at once. Returns NULL, or the reason of a failure, which stays valid
// until the process ends.
const char *poolflow_pq_open(void);

// The functions below call libpq's functions of the same purpose, listed in CPostgres.c.
poolflow_pq_connection *poolflow_pq_connect(const char *const *keywords, const char *const *values);
// Returns 0 (PQPING_OK) if the server accepts connections, even if it would refuse this one.
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
// Returns the error of an invalid connection string, to be freed with `poolflow_pq_free`; NULL for a valid one.
char *poolflow_pq_fault_of(const char *conninfo);
void poolflow_pq_free(void *memory);

poolflow_pq_result *poolflow_pq_execute(poolflow_pq_connection *connection, const char *script);
poolflow_pq_result *poolflow_pq_prepare(
  poolflow_pq_connection *connection, const char *name, const char *sql, int count, const uint32_t *types);
// Runs a prepared statement. Parameters have the given formats; results are binary.
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
// The number of rows that a command changed, as text; empty for a command that changes none.
const char *poolflow_pq_changed(poolflow_pq_result *result);
// The command tag, such as `COMMIT`.
const char *poolflow_pq_command(poolflow_pq_result *result);
void poolflow_pq_clear(poolflow_pq_result *result);

int poolflow_pq_put_copy(poolflow_pq_connection *connection, const char *bytes, int count);
int poolflow_pq_end_copy(poolflow_pq_connection *connection, const char *error);
poolflow_pq_result *poolflow_pq_next_result(poolflow_pq_connection *connection);

// Reads the pending notifications of LISTEN/NOTIFY (PQconsumeInput, PQnotifies) and calls `heard` with the payload of
// each. Returns their number; -1 if the connection is broken.
int poolflow_pq_take_calls(
    poolflow_pq_connection *connection, void (*heard)(void *context, const char *words), void *context);

#endif
