package io.hawser.agenta.sftp.ssh;

import io.hawser.agenta.account.Account;
import org.apache.sshd.common.AttributeRepository.AttributeKey;
import org.apache.sshd.common.util.buffer.Buffer;
import org.apache.sshd.server.auth.pubkey.PublickeyAuthenticator;
import org.apache.sshd.server.auth.pubkey.UserAuthPublicKey;

/**
 * A login by public key (RFC 4252 section 7). The client asks first whether a key would do, and is logged in when it has signed with it.
 *
 * <p>Thread: MINA's. It waits for the account, since MINA takes no later answer; only clients with a key of the account make it wait.
 */
final class KeyLogin extends UserAuthPublicKey {
    private static final AttributeKey<Account> ACCOUNT = new AttributeKey<>();

    private final SshLogins logins;

    KeyLogin(SshLogins logins) {
        this.logins = logins;
    }

    /** Whether a key opens the account of that name. */
    static PublickeyAuthenticator keys(SshLogins logins) {
        return (user, key, session) -> logins.accountOfKey(user, key)
                .map(account -> {
                    session.setAttribute(ACCOUNT, account);
                    return true;
                })
                .orElse(false);
    }

    @Override
    public Boolean doAuth(Buffer buffer, boolean init) throws Exception {
        Boolean proved = super.doAuth(buffer, init);
        if (proved == null || !proved) {
            return proved;
        }
        Account account = getServerSession().getAttribute(ACCOUNT);
        return account != null && logins.isLoggedIn(getServerSession(), getUsername(), account, "key");
    }
}
