-- The subscriptions of a customer.

create index payment_subscriptions_of_customer on payment_subscriptions (project_id, customer_email, id) where customer_email is not null;
