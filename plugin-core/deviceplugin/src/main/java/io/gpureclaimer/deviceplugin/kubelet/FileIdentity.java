package io.gpureclaimer.deviceplugin.kubelet;

import java.nio.file.attribute.FileTime;
import org.jspecify.annotations.Nullable;

/**
 * Tells one socket from another that came later under the same name. The time is needed because a
 * file system may give the inode of a deleted file to the next one at once.
 *
 * @param inode the device and the inode
 * @param born when the file was made
 */
record FileIdentity(@Nullable Object inode, FileTime born) {}
