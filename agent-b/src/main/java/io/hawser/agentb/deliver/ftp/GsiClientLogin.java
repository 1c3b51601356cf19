package io.hawser.agentb.deliver.ftp;

import io.hawser.agentb.deliver.FarServer;
import io.hawser.agentb.deliver.GridOptions;
import io.hawser.agentb.deliver.GridOptions.DataLevel;
import io.hawser.agentb.deliver.gsi.ControlExchange;
import io.hawser.agentb.deliver.gsi.DataAuthenticator;
import io.hawser.gsi.GsiException;
import io.hawser.gsi.credential.Credential;
import io.hawser.gsi.name.DistinguishedName;
import io.hawser.gsi.path.PeerValidator;
import io.hawser.gsi.token.GsiInitiator;
import io.hawser.gsi.token.PeerCheck;
import java.io.IOException;
import java.net.Socket;

/**
 * Protects a login by GSI with one credential (RFC 2228, GFD.20 section 4.1). It authenticates the server before it sends anything secret.
 *
 * <p>Thread: one at a time; data connections any.
 */
final class GsiClientLogin implements LoginSecurity {
    private final FarServer server;
    private final GridOptions options;
    private final Credential own;
    private final PeerValidator validator;
    private final DataAuthenticator dataAuthenticator;

    GsiClientLogin(FarServer server, GridOptions options, Credential own, PeerValidator validator) {
        this.server = server;
        this.options = options;
        this.own = own;
        this.validator = validator;
        this.dataAuthenticator = new DataAuthenticator(own, validator, options.data() == DataLevel.PRIVATE);
    }

    @Override
    public void afterGreeting(FarFtpClient client) throws IOException {
        ControlExchange exchange = new ControlExchange(initiator());
        exchange.run(client::command);
        Socket control = client.control();
        client.replaceControl(
                control, exchange.replies(control.getInputStream()), exchange.commands(control.getOutputStream()));
    }

    private GsiInitiator initiator() throws IOException {
        try {
            PeerCheck check = options.server().isPresent()
                    ? PeerCheck.identity(
                            DistinguishedName.parse(options.server().get()))
                    : PeerCheck.host(server.host());
            return GsiInitiator.ofLogin(
                    own,
                    validator,
                    check,
                    options.proxy().delegation(),
                    options.proxy().lifetime());
        } catch (GsiException e) {
            throw new IOException(e.why(), e);
        }
    }

    @Override
    public void afterLogin(FarFtpClient client) throws IOException {
        client.command("DCAU", options.data() == DataLevel.CLEAR ? "N" : "A");
        if (options.data() == DataLevel.PRIVATE) {
            client.command("PBSZ", "1048576");
            client.command("PROT", "P");
        }
    }

    @Override
    public boolean handshakesBeforeReply() {
        return options.data() != DataLevel.CLEAR;
    }

    @Override
    public Socket secureOutgoing(Socket plain) throws IOException {
        return options.data() == DataLevel.CLEAR ? plain : dataAuthenticator.secure(plain, true);
    }

    @Override
    public Socket secureIncoming(Socket plain) throws IOException {
        return options.data() == DataLevel.CLEAR ? plain : dataAuthenticator.secure(plain, false);
    }

    @Override
    public String refusedLoginHint() {
        return "agent-b logged in as " + own.identity() + "; check that the server's grid-mapfile has it";
    }
}
