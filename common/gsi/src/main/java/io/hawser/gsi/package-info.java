/**
 * Grid Security Infrastructure, as GridFTP uses it: TLS run over tokens, with proxy certificates (RFC 3820) and delegation. It knows
 * nothing of FTP, sockets or Hawser.
 *
 * <ul>
 *   <li>{@code name}: distinguished names in the slash form, host names, the grid-mapfile's lines; pure
 *   <li>{@code path}: who may be believed: certificate chains with proxies, signing policies, revocation lists; pure
 *   <li>{@code credential}: a key with its chain; delegation, received and given; pure
 *   <li>{@code token}: the two ends of the exchange of tokens, over an {@code SSLEngine}
 *   <li>{@code file}: what is read from disk, and read again when it has changed
 * </ul>
 *
 * <p>All of Bouncy Castle stays behind these types. No security provider is registered with the JVM.
 */
@NullMarked
package io.hawser.gsi;

import org.jspecify.annotations.NullMarked;
