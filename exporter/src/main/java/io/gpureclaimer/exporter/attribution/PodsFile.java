package io.gpureclaimer.exporter.attribution;

import io.gpureclaimer.common.device.DeviceId;
import io.gpureclaimer.common.device.DeviceId.Named;
import io.gpureclaimer.common.device.DeviceId.Unmapped;
import io.gpureclaimer.common.device.Entity;
import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.common.files.ReloadingFile;
import io.gpureclaimer.exporter.attribution.SourceState.OfFile;
import io.gpureclaimer.exporter.sample.DeviceAssignment;
import io.gpureclaimer.exporter.sample.Holder;
import io.gpureclaimer.exporter.sample.ServedPodLabels;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Allocations from a YAML or JSON file, which is reloaded when it changes. A file with a mistake is
 * one warning, and the last good content stays in force. {@link #refresh} is confined to the pods
 * file's job, {@link #now} to the sampling job, and never waits.
 */
public final class PodsFile implements HolderSource {
  private static final Logger log = LoggerFactory.getLogger(PodsFile.class);
  static final int LARGEST_BYTES = 256 * 1024;

  private final ReloadingFile<Map<String, List<Holder>>> file;
  private @Nullable JoinedContent joined;

  /** Reads nothing yet. */
  public PodsFile(Path path) {
    this.file =
        new ReloadingFile<>(
            path, LARGEST_BYTES, text -> PodsFileParser.parse(path.getFileName().toString(), text));
  }

  @Override
  public Attribution now(DeviceLookup inventory) {
    var holders = file.lastGood();
    boolean understood = holders.isPresent() && file.problem().isEmpty();
    var content = new ParsedPodsFile(holders.orElse(Map.of()), understood);
    if (joined == null
        || !joined.content().equals(content)
        || !joined.inventory().equals(inventory)) {
      joined =
          new JoinedContent(
              content,
              inventory,
              new Attribution(holdings(content.holders(), inventory), new OfFile(understood)));
    }
    return joined.attribution();
  }

  /** Reads the file, if it has changed. */
  public void refresh() {
    switch (file.refresh()) {
      case ReloadingFile.Refresh.Unchanged<Map<String, List<Holder>>>() -> {}
      case ReloadingFile.Refresh.Loaded<Map<String, List<Holder>>>(var holders) ->
          log.info("pods file {}: read; allocated devices: {}", file.path(), holders.size());
      case ReloadingFile.Refresh.Rejected<Map<String, List<Holder>>>(var problem, _) ->
          log.warn("pods file {}: {}; the last valid content stays in use", file.path(), problem);
    }
  }

  /** A name that is spelled in no way that we know is taken for that of a GPU. */
  private static Map<Entity, List<DeviceAssignment>> holdings(
      Map<String, List<Holder>> said, DeviceLookup inventory) {
    var holdings = new LinkedHashMap<Entity, List<DeviceAssignment>>();
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
      Map<Entity, List<DeviceAssignment>> into) {
    var of = into.computeIfAbsent(entity, absent -> new ArrayList<>());
    holders.forEach(
        holder -> of.add(new DeviceAssignment(holder, share, null, ServedPodLabels.NONE)));
  }

  private record ParsedPodsFile(Map<String, List<Holder>> holders, boolean understood) {}

  private record JoinedContent(
      ParsedPodsFile content, DeviceLookup inventory, Attribution attribution) {}
}
