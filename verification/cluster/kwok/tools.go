//go:build tools

// Names the program that plays nodes and pods without machines, so that go.mod pins what it is built
// from.
package tools

import _ "sigs.k8s.io/kwok/cmd/kwok"
