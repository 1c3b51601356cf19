/**
 * GSI as a client of a far GridFTP server (RFC 2228, GFD.20): the exchange of tokens within FTP commands ({@code ControlExchange}), what
 * a control connection is wrapped in behind it ({@code WrappedReplies}, {@code WrappedCommands}), and how data connections are
 * authenticated and encrypted ({@code DataAuthenticator}). The tokens themselves are the module {@code gsi}'s. Everything blocks.
 */
@NullMarked
package io.hawser.agentb.deliver.gsi;

import org.jspecify.annotations.NullMarked;
