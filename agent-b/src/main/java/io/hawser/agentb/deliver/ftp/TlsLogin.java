package io.hawser.agentb.deliver.ftp;

import java.io.IOException;
import java.net.Socket;

/** FTP over TLS (RFC 4217): TLS from the first byte on, or behind AUTH TLS; data connections resume the control connection's session. */
final class TlsLogin implements LoginSecurity {
    private final FarTls tls;
    private final int controlPort;
    private final boolean implicit;

    TlsLogin(FarTls tls, int controlPort, boolean implicit) {
        this.tls = tls;
        this.controlPort = controlPort;
        this.implicit = implicit;
    }

    @Override
    public Socket connected(Socket control) throws IOException {
        return implicit ? tls.wrap(control, controlPort) : control;
    }

    @Override
    public void greeted(FarFtpClient client) throws IOException {
        if (!implicit) {
            client.command("AUTH", "TLS");
            Socket secured = tls.wrap(client.control(), controlPort);
            client.replaceControl(secured, secured.getInputStream(), secured.getOutputStream());
        }
    }

    @Override
    public void loggedIn(FarFtpClient client) throws IOException {
        client.command("PBSZ", "0");
        client.command("PROT", "P");
    }

    @Override
    public Socket data(Socket plain) throws IOException {
        return tls.wrap(plain, controlPort);
    }

    @Override
    public String silentGreeting() {
        return implicit
                ? ""
                : "no greeting in clear text; a server that begins TLS with the first byte needs --into-implicit-tls";
    }
}
