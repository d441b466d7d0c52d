/**
 * An LRU cache that grows with its entries. With the option `max`, LRUCache allocates all its places
 * when it is created.
 */
import { LRUCache } from 'lru-cache'

export function growingCache<Value extends {}>(entries_max: number): LRUCache<string, Value> {
  return new LRUCache({ maxSize: entries_max, sizeCalculation: () => 1 })
}
