/**
 * The bodies of records, as journals and logs keep them: big-endian numbers, a text as its length (4 bytes) and its UTF-8, a
 * collection as its count (4 bytes) and its elements. Which fields a record has is its store's business.
 */
@NullMarked
package io.hawser.store.record;

import org.jspecify.annotations.NullMarked;
