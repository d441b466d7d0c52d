alter table sign_ins add column code_due_at timestamptz;
comment on column sign_ins.code_due_at is 'When the code that was last requested is sent; null: none waits. Until then, the one before stays valid.';
