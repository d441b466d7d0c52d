-- Tokens of sites that were made for forms do not start chats that the owner pays. The owner can set
-- these limits again.

update public_tokens as token set daily_conversation_limit = 0, daily_spend_limit_micro = 0
where site_id is not null and daily_conversation_limit = 200 and daily_spend_limit_micro = 5000000
  and not exists (
    select from chat_token_days as used
    where used.project_id = token.project_id and used.token_id = token.id
  )
  and not exists (
    select from conversations as used
    where used.project_id = token.project_id and used.chat_token_id = token.id
  );
