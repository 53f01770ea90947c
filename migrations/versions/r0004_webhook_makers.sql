set local lock_timeout = '3s';

-- The token that made a webhook, or that enabled it last: when it is revoked, nothing more is sent. Those that were made
-- before this name none, and go on.
alter table webhooks add column maker uuid;
