package io.gpureclaimer.simulator;

import java.util.Map;

/**
 * What a simulated card is beyond its {@link Model}.
 *
 * @param brand {@code nvmlBrandType_t}
 * @param measures whether it answers GPM (Hopper and newer)
 * @param links NVLinks; 0 without
 * @param pcieGeneration of its link
 * @param major what CUDA calls it
 * @param minor the same
 * @param decoders video decoders, which are also the engines for JPEG
 * @param slowdownCelsius at which it slows down
 * @param bar1Mib what the host can see of its memory at once
 * @param pciDevice PCI's id of the device
 * @param pciSubsystem PCI's id of the board
 */
record Board(
    int brand,
    boolean measures,
    int links,
    int pcieGeneration,
    int major,
    int minor,
    int decoders,
    int slowdownCelsius,
    int bar1Mib,
    int pciDevice,
    int pciSubsystem) {
  private static final int TESLA = 2;
  private static final int NVIDIA = 14;

  private static final Map<String, Board> BY_NAME =
      Map.of(
          Model.H100.name(), new Board(NVIDIA, true, 18, 5, 9, 0, 7, 90, 131_072, 0x2330, 0x16C1),
          Model.H200.name(), new Board(NVIDIA, true, 18, 5, 9, 0, 7, 90, 262_144, 0x2335, 0x18BE),
          Model.A100.name(), new Board(NVIDIA, false, 12, 4, 8, 0, 5, 92, 131_072, 0x20B2, 0x147F),
          Model.T4.name(), new Board(TESLA, false, 0, 3, 7, 5, 2, 93, 256, 0x1EB8, 0x12A2));

  static Board of(Model model) {
    Board board = BY_NAME.get(model.name());
    if (board == null) {
      throw new IllegalArgumentException("no board is known for " + model.name());
    }
    return board;
  }
}
