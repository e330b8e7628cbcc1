//! A durable store of computers: which save may land, and which page may a reference resolve against?
