package io.gpureclaimer.exporter.attribution;

import java.util.Map;

/** Source of the holders of devices. */
public interface HolderSource {

  /**
   * Reports the holders now; never fails, the last good answer stands.
   *
   * @param devices finds devices that are named by an index or a MIG id
   */
  Attribution now(DeviceLookup devices);

  /** The source of an agent without one. */
  static HolderSource none() {
    var none = new Attribution(Map.of(), new SourceState.NotConfigured());
    return _ -> none;
  }
}
