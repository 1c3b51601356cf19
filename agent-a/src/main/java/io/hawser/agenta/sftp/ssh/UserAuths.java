package io.hawser.agenta.sftp.ssh;

import java.util.List;
import org.apache.sshd.server.auth.AbstractUserAuthFactory;
import org.apache.sshd.server.auth.AsyncAuthException;
import org.apache.sshd.server.auth.UserAuth;
import org.apache.sshd.server.auth.UserAuthFactory;
import org.apache.sshd.server.auth.password.PasswordAuthenticator;
import org.apache.sshd.server.auth.password.UserAuthPasswordFactory;
import org.apache.sshd.server.auth.pubkey.UserAuthPublicKeyFactory;
import org.apache.sshd.server.session.ServerSession;

/** The ways to log in, as MINA asks for them. Thread: MINA's. */
final class UserAuths {
    private UserAuths() {}

    static List<UserAuthFactory> of(SshLogins logins) {
        return List.of(
                new AbstractUserAuthFactory(UserAuthPublicKeyFactory.NAME) {
                    @Override
                    public UserAuth createUserAuth(ServerSession session) {
                        return new KeyLogin(logins);
                    }
                },
                UserAuthPasswordFactory.INSTANCE);
    }

    static PasswordAuthenticator passwords(SshLogins logins) {
        return (user, password, session) -> {
            AsyncAuthException later = new AsyncAuthException();
            logins.password(user, password, session, later::setAuthed);
            throw later;
        };
    }
}
