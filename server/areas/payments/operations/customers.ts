/** The operations of customers. */
import { operation } from '../../../contract/operation.ts'
import { CustomerPage, CustomersQuery } from '../customers/customer-schema.ts'
import * as customers from '../customers/customers.ts'

export const list = operation({
  name: 'customers.list',
  route: 'GET /customers',
  about:
    'The customers of the project with what they ordered, paid and got back, newest order first. A ' +
    'customer is the email address of orders; its orders are those of GET /orders with customer_email.',
  keywords:
    'buyers, clients, who bought, best customers, regulars, address book, lifetime value, spent',
  scope: 'payments:read',
  reach: 'project',
  effect: 'read',
  query: CustomersQuery,
  status: 200,
  reply: CustomerPage,
  errors: ['invalid_parameter'],
  run: ({ query }, caller) => customers.list(caller, query),
})
