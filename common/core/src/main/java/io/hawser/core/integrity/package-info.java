/**
 * What proves that bytes are the same bytes: CRC32C for each packet and fragment ({@link
 * io.hawser.core.integrity.Crc32c}), and the tree digest of a whole object ({@link
 * io.hawser.core.integrity.TreeDigest}). Pure functions of bytes: no files, threads or clocks.
 *
 * <h2>The tree digest, {@code hts256-<fragment size>:<hex>}</h2>
 *
 * <pre>
 *   leaf(i)   = SHA-256(bytes of fragment i)
 *   tree()    = SHA-256("")                                       no leaf: an empty object
 *   tree(l)   = l                                                 one leaf
 *   tree(0..n)= SHA-256(0x01 | tree(0..k) | tree(k..n))           k: the largest power of two below n
 *   root      = SHA-256("hawser-hts256-v1" | 0x00 | size: 8 bytes | fragment size: 4 bytes | tree(0..n))
 * </pre>
 *
 * <p>Numbers are big-endian. The shape is RFC 6962's (section 2.1). RFC 6962 also prefixes the data of a leaf with 0x00, so
 * that no leaf can be passed off as an inner node. Here a leaf is the plain SHA-256 of its bytes, which any tool can compute;
 * the confusion is shut out by the root instead, since it covers the size and the fragment size: together they fix the number
 * of leaves, and so what each place of the tree is. The domain tag keeps a root from being any other program's hash.
 */
@NullMarked
package io.hawser.core.integrity;

import org.jspecify.annotations.NullMarked;
