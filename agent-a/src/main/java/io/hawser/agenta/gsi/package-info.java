/**
 * GSI at the near edge: whom the GridFTP door lets in ({@link io.hawser.agenta.gsi.GsiGate}), and what protects the data connections
 * of who came in so ({@link io.hawser.agenta.gsi.DataSecurity}). The exchange itself is the module {@code gsi}; its place in a
 * session is {@code ftp.SessionGsi}.
 */
@NullMarked
package io.hawser.agenta.gsi;

import org.jspecify.annotations.NullMarked;
