#!/bin/sh
# PostgreSQL with a database of the site's, whose password is in POSTGRES_PASSWORD.
set -eu
programs=$(echo /usr/lib/postgresql/*/bin)
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  "$programs/initdb" --auth-local peer --auth-host scram-sha-256 >/dev/null
  echo 'host all valat all scram-sha-256' >>"$PGDATA/pg_hba.conf"
  "$programs/postgres" --single -j postgres >/dev/null <<END
CREATE ROLE valat LOGIN PASSWORD '$POSTGRES_PASSWORD';

CREATE DATABASE valat OWNER valat;
END
fi
exec "$programs/postgres" -c listen_addresses='*' -c unix_socket_directories=/tmp
