package io.hawser.agentb.deliver.ftp;

import java.io.IOException;
import java.net.Socket;

/**
 * What protects the connections of one login.
 *
 * <p>Thread: one at a time; {@link #data} and {@link #dialled} any.
 */
public interface LoginSecurity {
    /** Clear text. */
    LoginSecurity NONE = new LoginSecurity() {};

    /** What is done to the control connection before the first byte. */
    default Socket connected(Socket control) throws IOException {
        return control;
    }

    /** What is done behind the greeting. */
    default void greeted(FarFtpClient client) throws IOException {}

    /** What is asked for data connections, behind the login. */
    default void loggedIn(FarFtpClient client) throws IOException {}

    /** Whether the server speaks on a data connection before it answers the command, so that it must be listened to at the same time. */
    default boolean isEarly() {
        return false;
    }

    /** A data connection that was dialled here, as the data may go over it. */
    default Socket data(Socket plain) throws IOException {
        return plain;
    }

    /** The same for one that the server has dialled. */
    default Socket dialled(Socket plain) throws IOException {
        return plain;
    }

    /** What it may mean that a server says nothing when it is dialled; empty for nothing in particular. */
    default String silentGreeting() {
        return "";
    }

    /** Why a login was refused, in words that help. */
    default String hint() {
        return "check the account and --into-password-file, or --serve-password-file for what is read";
    }
}
