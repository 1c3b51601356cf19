/**
 * GSI as a client of a far GridFTP server (RFC 2228, GFD.20): authenticates the control connection by tokens in FTP commands ({@code
 * ControlExchange}), wraps it afterwards ({@code UnwrappingReplyInputStream}, {@code WrappedCommands}), and authenticates and encrypts data connections ({@code
 * DataAuthenticator}). The module {@code gsi} makes the tokens. Everything here blocks.
 */
@NullMarked
package io.hawser.agentb.deliver.gsi;

import org.jspecify.annotations.NullMarked;
