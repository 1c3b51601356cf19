package io.hawser.agentb.deliver.ftp;

import io.hawser.agentb.deliver.FarOptions;
import io.hawser.agentb.deliver.FarServer;
import io.hawser.store.storage.Storage;
import java.io.IOException;

/**
 * Makes the protection of each login at a far server.
 *
 * <p>Thread: any.
 */
public interface LoginSecurityFactory {
    /** The protection of a new login. Throws IOException with a sentence if there can be none now. */
    LoginSecurity newLogin() throws IOException;

    /** The kind that the server's URL names. Throws IOException with a sentence if certificates cannot be loaded. */
    static LoginSecurityFactory of(Storage storage, FarServer server, FarOptions options) throws IOException {
        return switch (server.protocol()) {
            case FTP, GRIDFTP -> () -> LoginSecurity.NONE;
            case FTPS -> {
                FarTls tls = FarTls.create(storage, server.host(), options);
                boolean implicit = options.tls().implicit() || server.implicitTls();
                yield () -> new TlsLogin(tls.forOneLogin(), server.port(), implicit);
            }
            case GSIFTP -> FarGsi.create(server, options);
        };
    }
}
