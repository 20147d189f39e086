package io.gpureclaimer.deviceplugin.kubelet;

import java.io.IOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports changes of a folder by inotify, or falls back to polling. Confined to one thread, except
 * for the reports.
 */
final class FolderWatch implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(FolderWatch.class);

  /** Opens folder watches. */
  interface WatchOpener {
    WatchService open() throws IOException;
  }

  private final Path folder;
  private final WatchOpener source;
  private final Runnable changed;
  private @Nullable WatchService service;
  private volatile boolean lost = true;
  private boolean givenUp;

  FolderWatch(Path folder, WatchOpener source, Runnable changed) {
    this.folder = folder;
    this.source = source;
    this.changed = changed;
  }

  /** Watches, if it does not yet and the folder is there. */
  void keep() {
    if (!lost || givenUp || !Files.isDirectory(folder)) {
      return;
    }
    close();
    try {
      WatchService opened = source.open();
      service = opened;
      folder.register(
          opened, StandardWatchEventKinds.ENTRY_CREATE, StandardWatchEventKinds.ENTRY_DELETE);
      lost = false;
      Thread.ofPlatform().name("device-plugin-watch").daemon().start(() -> listen(opened));
    } catch (IOException e) {
      givenUp = true;
      close();
      log.warn("{} cannot be watched; polling instead", folder, e);
    }
  }

  @Override
  public void close() {
    try {
      if (service != null) {
        service.close();
        service = null;
      }
    } catch (IOException e) {
      log.warn("the watch of {} could not be closed", folder, e);
    }
  }

  private void listen(WatchService opened) {
    try {
      WatchKey key;
      do {
        key = opened.take();
        key.pollEvents();
        changed.run();
      } while (key.reset());
      lost = true;
    } catch (ClosedWatchServiceException e) {
      log.debug("{} is no longer watched", folder, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
