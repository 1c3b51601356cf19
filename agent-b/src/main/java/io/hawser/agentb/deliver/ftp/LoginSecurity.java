package io.hawser.agentb.deliver.ftp;

import java.io.IOException;
import java.net.Socket;

/**
 * Protects the connections of one login.
 *
 * <p>Thread: one at a time; {@link #secureOutgoing} and {@link #secureIncoming} any.
 */
public interface LoginSecurity {
    /** Clear text. */
    LoginSecurity NONE = new LoginSecurity() {};

    /** Secures the control connection before the first byte. */
    default Socket secureControl(Socket control) throws IOException {
        return control;
    }

    default void afterGreeting(FarFtpClient client) throws IOException {}

    /** Sends commands after the login, which protect data connections. */
    default void afterLogin(FarFtpClient client) throws IOException {}

    /** Whether the server begins the handshake of a data connection before it replies to the command, so that both must run at once. */
    default boolean handshakesBeforeReply() {
        return false;
    }

    /** Secures a data connection that agent-b dialled. */
    default Socket secureOutgoing(Socket plain) throws IOException {
        return plain;
    }

    /** Secures a data connection that the server dialled. */
    default Socket secureIncoming(Socket plain) throws IOException {
        return plain;
    }

    /** The likely reason why a server sends no greeting; empty if there is none. */
    default String missingGreetingHint() {
        return "";
    }

    /** What to check when the server refuses the login. */
    default String refusedLoginHint() {
        return "check the account and --into-password-file (--serve-password-file for reading)";
    }
}
