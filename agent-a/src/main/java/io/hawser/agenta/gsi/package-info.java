/**
 * GSI at agent-a: whom the GridFTP port lets in ({@link io.hawser.agenta.gsi.GsiGate}), and what a user has delegated ({@link
 * io.hawser.agenta.gsi.GsiLogin}). The exchange itself is the module {@code gsi}; its place in a session is {@code ftp.login.SessionGsi}.
 */
@NullMarked
package io.hawser.agenta.gsi;

import org.jspecify.annotations.NullMarked;
