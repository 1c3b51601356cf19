/**
 * Grid Security Infrastructure, as GridFTP uses it: TLS over tokens, proxy certificates (RFC 3820) and delegation. It knows
 * nothing of FTP, sockets or Hawser.
 *
 * <ul>
 *   <li>{@code name}: distinguished names in the slash form, host names, the grid-mapfile's lines; pure
 *   <li>{@code path}: validates certificate chains with proxies, signing policies and revocation lists; pure
 *   <li>{@code credential}: a key with its chain; delegation, received and granted; pure
 *   <li>{@code token}: the two ends of the exchange of tokens, over an {@code SSLEngine}
 *   <li>{@code file}: files of credentials, CAs and mappings, read again when they change
 * </ul>
 *
 * <p>Bouncy Castle appears in none of these types. No security provider is registered with the JVM.
 */
@NullMarked
package io.hawser.gsi;

import org.jspecify.annotations.NullMarked;
