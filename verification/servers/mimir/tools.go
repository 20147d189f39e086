//go:build tools

// Names the program of Mimir, so that go.mod pins what it is built from.
package tools

import _ "github.com/grafana/mimir/cmd/mimir"
