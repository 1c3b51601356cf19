package io.hawser.agenta.account;

import io.hawser.agenta.custody.CustodyLevel;
import io.hawser.core.ftp.FtpPath;
import java.util.regex.Pattern;

/**
 * One line of a users file: {@code NAME:HASH:PERMISSIONS:CUSTODY:ROOT}, where CUSTODY may be empty.
 *
 * @param account the name, and what it may do
 * @param password what is kept of its password
 */
record UserEntry(Account account, PasswordHash password) {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._@-]{0,63}");
    private static final int FIELDS = 5;

    UserEntry {
        if (!NAME.matcher(account.name()).matches()
                || account.name().equalsIgnoreCase(Account.ANONYMOUS)
                || account.name().equalsIgnoreCase("ftp")) {
            throw new IllegalArgumentException("\"" + account.name() + "\" cannot be a user's name: up to 64 letters,"
                    + " digits, dots, dashes, underscores and @, and not anonymous or ftp");
        }
    }

    /** Reads a line. {@link IllegalArgumentException} says what is wrong with it, without its hash. */
    static UserEntry parse(String line) {
        String[] fields = line.split(":", FIELDS);
        if (fields.length != FIELDS) {
            throw new IllegalArgumentException("a line is NAME:HASH:PERMISSIONS:CUSTODY:ROOT");
        }
        CustodyLevel custody = fields[3].isEmpty() ? null : CustodyLevel.parse(fields[3]);
        return new UserEntry(
                new Account(fields[0], root(fields[4]), Permission.parse(fields[2]), custody),
                PasswordHash.parse(fields[1]));
    }

    /** The directory of that name as an account's root. */
    static FtpPath root(String path) {
        if (!path.startsWith("/")) {
            throw new IllegalArgumentException("a root directory begins with /, unlike \"" + path + "\"");
        }
        try {
            return FtpPath.ROOT.resolve(path).asRoot();
        } catch (FtpPath.BadNameException e) {
            throw new IllegalArgumentException(path + ": " + e.why(), e);
        }
    }

    UserEntry withPassword(PasswordHash other) {
        return new UserEntry(account, other);
    }

    /** The root as the operator wrote it. */
    String rootPath() {
        return new FtpPath(account.root().segments()).toString();
    }

    String custodyText() {
        CustodyLevel custody = account.custody();
        return custody == null ? "" : custody.toString();
    }

    String line() {
        return String.join(
                ":",
                account.name(),
                password.toString(),
                Permission.letters(account.permissions()),
                custodyText(),
                rootPath());
    }
}
