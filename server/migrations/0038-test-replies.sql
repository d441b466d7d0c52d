-- Daily count of the free requests of test calls to the configured language model.

create table assistant_test_replies (
  project_id uuid primary key references projects (id),
  day date not null,
  replies integer not null,
  constraint assistant_test_replies_count check (replies >= 0)
);
comment on table assistant_test_replies is 'Free model replies of a project in test mode; one row, for the latest day.';
comment on column assistant_test_replies.day is 'Calendar day in the billing time zone.';
comment on column assistant_test_replies.replies is 'Free replies used on that day.';
