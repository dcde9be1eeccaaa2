#!/bin/sh
# Creates the owner of the tables, the role of the servers and the database. Runs once, in an empty PostgreSQL.
set -eu
psql --set ON_ERROR_STOP=1 --username postgres \
  --set owner_password="$KEYTURN_OWNER_PASSWORD" --set server_password="$KEYTURN_SERVER_PASSWORD" <<'SQL'
create role keyturn_owner login password :'owner_password';
create role keyturn_server login password :'server_password';
create database keyturn owner keyturn_owner;
SQL
