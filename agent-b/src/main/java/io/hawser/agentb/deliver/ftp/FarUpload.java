package io.hawser.agentb.deliver.ftp;

import java.io.IOException;

/**
 * Uploads bytes to a path of the far server and resumes where an earlier attempt ended. Of an object that is still arriving it uploads what there
 * is, waits for more, and ends normally when none arrives for long.
 */
interface FarUpload {
    /**
     * Uploads what is missing.
     *
     * @param checkpoint what earlier attempts noted, and later ones will read
     * @throws FarRefusedException if the server refuses it
     */
    void run(FarSession session, UploadSource source, String path, DeliveryCheckpoint checkpoint) throws IOException;
}
