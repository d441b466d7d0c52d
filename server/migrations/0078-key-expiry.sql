-- When a key stops working by itself.

alter table api_keys add column expires_at timestamptz;
