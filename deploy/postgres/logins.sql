-- The two logins of Lurch and its database, on a PostgreSQL (15 or newer): once, by a superuser. The owner migrates and copies;
-- the service's login may read events and add some, and cannot change one.
--     LURCH_OWNER_PASSWORD=… LURCH_APP_PASSWORD=… psql -v ON_ERROR_STOP=1 -f deploy/postgres/logins.sql postgresql://postgres@db.example
-- Then LURCH_MIGRATE_URL=postgresql://lurch_owner:…@db.example/lurch and LURCH_DATABASE_URL=postgresql://lurch_app:…@db.example/lurch.
\getenv owner_password LURCH_OWNER_PASSWORD
\getenv app_password LURCH_APP_PASSWORD
create role lurch_owner login password :'owner_password';
create role lurch_app login password :'app_password';
alter role lurch_app set statement_timeout = '10s';
alter role lurch_app set lock_timeout = '2s';
alter role lurch_app set idle_in_transaction_session_timeout = '10s';
create database lurch owner lurch_owner encoding 'UTF8' template template0;
revoke all on database lurch from public;
grant connect on database lurch to lurch_app;
