package io.gpureclaimer.exporter.attribution;

import io.gpureclaimer.common.device.DeviceId;
import io.gpureclaimer.common.device.DeviceId.Named;
import io.gpureclaimer.common.device.DeviceId.Unmapped;
import io.gpureclaimer.common.device.Entity;
import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.exporter.attribution.SourceState.OfFile;
import io.gpureclaimer.exporter.sample.Holder;
import io.gpureclaimer.exporter.sample.Holding;
import io.gpureclaimer.exporter.sample.PodLabels;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads who holds which device from a YAML or JSON file, again whenever it changes. A file that
 * cannot be understood is one warning, and the last good one stands. {@link #refresh} is confined
 * to the pods file's job, {@link #now} to the sampling job, and never waits.
 */
public final class PodsFile implements HolderSource {
  private static final Logger log = LoggerFactory.getLogger(PodsFile.class);
  static final int LARGEST_BYTES = 256 * 1024;

  private final Path file;
  private final AtomicReference<Said> latest = new AtomicReference<>(new Said(Map.of(), false));
  private @Nullable Version read;
  private @Nullable String complaint;
  private @Nullable Joined joined;

  /** Reads nothing yet. */
  public PodsFile(Path file) {
    this.file = file;
  }

  @Override
  public Attribution now(DeviceLookup inventory) {
    var said = latest.get();
    if (joined == null || !joined.said().equals(said) || !joined.inventory().equals(inventory)) {
      var holdings = holdings(said.holders(), inventory);
      joined =
          new Joined(said, inventory, new Attribution(holdings, new OfFile(said.understood())));
    }
    return joined.attribution();
  }

  /** Reads the file, if it has changed. */
  public void refresh() {
    try {
      var found = Version.of(Files.readAttributes(file, BasicFileAttributes.class));
      if (!found.equals(read)) {
        read = found;
        reload(found);
      }
    } catch (NoSuchFileException _) {
      read = null;
      reject("is not there");
    } catch (IOException e) {
      read = null;
      reject("cannot be read: " + e);
    }
  }

  /** A name that is spelled in no way that we know is taken for that of a GPU. */
  private static Map<Entity, List<Holding>> holdings(
      Map<String, List<Holder>> said, DeviceLookup inventory) {
    var holdings = new LinkedHashMap<Entity, List<Holding>>();
    said.forEach(
        (name, holders) -> {
          switch (DeviceId.of(name)) {
            case Named(var device, var share) ->
                inventory.find(device).ifPresent(entity -> add(entity, share, holders, holdings));
            case Unmapped(var uuid) ->
                add(Entity.whole(new GpuUuid(uuid)), null, holders, holdings);
          }
        });
    return holdings;
  }

  private static void add(
      Entity entity,
      @Nullable String share,
      List<Holder> holders,
      Map<Entity, List<Holding>> into) {
    var of = into.computeIfAbsent(entity, absent -> new ArrayList<>());
    holders.forEach(holder -> of.add(new Holding(holder, share, null, PodLabels.NONE)));
  }

  private void reload(Version found) throws IOException {
    byte[] bytes = found.bytes() > LARGEST_BYTES ? new byte[0] : beginning();
    if (found.bytes() > LARGEST_BYTES || bytes.length > LARGEST_BYTES) {
      reject("must be at most " + LARGEST_BYTES / 1024 + " KiB, was more");
      return;
    }
    try {
      var holders = PodsFileGrammar.parse(new String(bytes, StandardCharsets.UTF_8));
      latest.set(new Said(holders, true));
      complaint = null;
      log.info("pods file {}: devices held: {}", file, holders.size());
    } catch (PodsFileGrammar.Violation e) {
      reject(e.problem());
    }
  }

  /** A byte more than is allowed shows that the file has grown since we looked at its size. */
  private byte[] beginning() throws IOException {
    try (var in = Files.newInputStream(file)) {
      return in.readNBytes(LARGEST_BYTES + 1);
    }
  }

  private void reject(String why) {
    latest.updateAndGet(said -> said.understood() ? new Said(said.holders(), false) : said);
    if (!why.equals(complaint)) {
      complaint = why;
      log.warn("pods file {}: {}; what it last said stands", file, why);
    }
  }

  private record Said(Map<String, List<Holder>> holders, boolean understood) {}

  private record Joined(Said said, DeviceLookup inventory, Attribution attribution) {}

  private record Version(FileTime modified, long bytes, @Nullable Object key) {
    static Version of(BasicFileAttributes attributes) {
      return new Version(attributes.lastModifiedTime(), attributes.size(), attributes.fileKey());
    }
  }
}
