package io.hawser.agentb.deliver.ftp;

import java.io.IOException;
import java.net.Socket;

/** Protects a login by TLS (RFC 4217), from the first byte or after AUTH TLS. Data connections resume the control connection's session. */
record TlsLogin(FarTls tls, int controlPort, boolean implicit) implements LoginSecurity {
    @Override
    public Socket secureControl(Socket control) throws IOException {
        return implicit ? tls.wrap(control, controlPort) : control;
    }

    @Override
    public void afterGreeting(FarFtpClient client) throws IOException {
        if (!implicit) {
            client.command("AUTH", "TLS");
            Socket secured = tls.wrap(client.control(), controlPort);
            client.replaceControl(secured, secured.getInputStream(), secured.getOutputStream());
        }
    }

    @Override
    public void afterLogin(FarFtpClient client) throws IOException {
        client.command("PBSZ", "0");
        client.command("PROT", "P");
    }

    @Override
    public Socket secureOutgoing(Socket plain) throws IOException {
        return tls.wrap(plain, controlPort);
    }

    @Override
    public String missingGreetingHint() {
        return implicit
                ? ""
                : "the server sent no greeting in clear text; if it begins TLS with the first byte, give --into-implicit-tls";
    }
}
