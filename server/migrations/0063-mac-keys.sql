-- Keys of MACs that stay valid when the master key is replaced.

create table mac_keys (
  purpose text primary key,
  sealed_key bytea not null
);
comment on table mac_keys is 'Keys of MACs that outlive a rotation of the master key, such as those of recovery codes. They were derived from the first master key.';
comment on column mac_keys.sealed_key is 'The key in hexadecimal characters, sealed with the master key.';
